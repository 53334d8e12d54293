// Registers the service worker once the page has loaded, so that it never competes with the first text.

export function registerWorker(): void {
  if (!('serviceWorker' in navigator) || !import.meta.env.PROD) return
  const register = () => navigator.serviceWorker.register('/sw.js').catch(() => undefined)
  if (document.readyState === 'complete') void register()
  else addEventListener('load', register, { once: true })
}
