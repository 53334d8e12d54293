// A short tone for things that happen without a click. Off until the reader wants it; the choice is kept.

const KEY = 'bellwether.sound'
const [HERTZ, SECONDS, LOUDNESS] = [[660, 880], 0.14, 0.06]
let on = $state(localStorage.getItem(KEY) === 'on')
let context: AudioContext | undefined

/** Browsers allow sound only after a tap or a key; a context that was made before that is silent. */
function wake(): void {
  if (!on) return
  context ??= new AudioContext()
  if (context.state === 'suspended') void context.resume()
  else stopWaiting()
}
// A finger counts when it is lifted.
const SIGNS = ['pointerdown', 'pointerup', 'keydown']
const stopWaiting = () => SIGNS.forEach((sign) => removeEventListener(sign, wake, { capture: true }))
SIGNS.forEach((sign) => addEventListener(sign, wake, { capture: true, passive: true }))

export const sound = {
  get on() {
    return on
  },
  set on(wanted: boolean) {
    on = wanted
    localStorage.setItem(KEY, wanted ? 'on' : 'off')
    // The choice was a tap or a key itself.
    wake()
    if (wanted) this.play()
  },
  play() {
    // Before the first tap or key a tone would be heard with that, long after what it tells.
    if (!on || !context) return
    for (const [index, hertz] of HERTZ.entries()) {
      const [tone, volume] = [context.createOscillator(), context.createGain()]
      const from = context.currentTime + index * SECONDS
      tone.frequency.value = hertz
      volume.gain.setValueAtTime(LOUDNESS, from)
      volume.gain.exponentialRampToValueAtTime(0.0001, from + SECONDS)
      tone.connect(volume).connect(context.destination)
      tone.start(from)
      tone.stop(from + SECONDS)
    }
  },
}
