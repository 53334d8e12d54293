// Waits for something to become true, by asking again and again; never for a fixed time.

const AGAIN_MILLISECONDS = 40
/** Longer than anything takes on a machine that does other things at the same time. */
export const PATIENCE_MILLISECONDS = 60_000

export async function until(holds, { what = 'it', milliseconds = PATIENCE_MILLISECONDS } = {}) {
  const end = Date.now() + milliseconds
  for (;;) {
    const value = await holds()
    if (value) return value
    if (Date.now() > end) throw new Error(`waited ${milliseconds} ms in vain for ${what}`)
    await new Promise((resume) => setTimeout(resume, AGAIN_MILLISECONDS))
  }
}

/** Waits until an assertion passes; fails with its own message. */
export async function eventually(assertion, milliseconds = PATIENCE_MILLISECONDS) {
  const end = Date.now() + milliseconds
  for (;;) {
    try {
      return await assertion()
    } catch (error) {
      if (Date.now() > end) throw error
      await new Promise((resume) => setTimeout(resume, AGAIN_MILLISECONDS))
    }
  }
}
