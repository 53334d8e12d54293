// A short tone for things that happen without a click. Off until the reader wants it; the choice is kept.

const KEY = 'bellwether.sound'
const [HERTZ, SECONDS, LOUDNESS] = [[660, 880], 0.14, 0.06]
let on = $state(localStorage.getItem(KEY) === 'on')
let context: AudioContext | undefined

export const sound = {
  get on() {
    return on
  },
  set on(wanted: boolean) {
    on = wanted
    localStorage.setItem(KEY, wanted ? 'on' : 'off')
    // Browsers allow sound only after a click, which this was.
    if (wanted) this.play()
  },
  play() {
    if (!on) return
    context ??= new AudioContext()
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
