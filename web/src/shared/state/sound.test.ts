// A sound that was wanted on an earlier visit can be heard after the first tap or key of this one.
import { afterEach, expect, it, vi } from 'vitest'

const page = new EventTarget()
let [contexts, tones, resumed] = [0, 0, 0]
class Context {
  state = 'suspended'
  currentTime = 0
  constructor() {
    contexts += 1
  }
  async resume() {
    resumed += 1
    this.state = 'running'
  }
  createOscillator() {
    return { frequency: {}, connect: (next: unknown) => next, start: () => (tones += 1), stop: () => undefined }
  }
  createGain() {
    const gain = { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined }
    return { gain, connect: () => undefined }
  }
}
vi.stubGlobal('localStorage', { getItem: () => 'on', setItem: () => undefined })
vi.stubGlobal('AudioContext', Context)
vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
afterEach(() => vi.unstubAllGlobals())

it('wakes the sound at the first key, and only then', async () => {
  const { sound } = await import('./sound.svelte')
  sound.play()
  expect([contexts, tones]).toEqual([0, 0])
  page.dispatchEvent(new Event('keydown'))
  expect([contexts, resumed]).toEqual([1, 1])
  sound.play()
  expect(tones).toBe(2)
  page.dispatchEvent(new Event('pointerdown'))
  expect([contexts, resumed]).toEqual([1, 1])
})
