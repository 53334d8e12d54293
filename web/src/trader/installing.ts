// The service worker: the pages can be installed, and have an offline page.

/** Long enough for a page to be rendered on a slow phone: the worker and the copies it keeps never compete with that. */
const WAIT_MILLISECONDS = 4_000

export function registerLater(): void {
  const register = () => setTimeout(() => void registeredWorker(), WAIT_MILLISECONDS)
  if (document.readyState === 'complete') register()
  else addEventListener('load', register, { once: true })
}

/** The worker once it is active, registered now if it was not yet; nothing where the browser has none. */
export async function registeredWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return undefined
  try {
    await navigator.serviceWorker.register('/sw.js')
    return await navigator.serviceWorker.ready
  } catch {
    return undefined
  }
}
