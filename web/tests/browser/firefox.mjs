// Debian's Firefox over WebDriver BiDi, so that a walk is written once. Firefox 140 lacks some of what playwright-core expects;
// this adapter puts something in its place:
//
// - An unknown command counts as done. A walk that needs what such a command does fails by its own assertion.
// - Changes of the address by a script are no event of that version. The page tells them on its console; here they become the
//   event that playwright-core waits for.
// - No command cuts the line: the server before the exchange refuses this browser, and the page is told that it is offline.
// - No command sets a media feature: pages get the theme that their own switch sets. Motion is reduced, and times are UTC, from
//   the start.
import { firefox } from 'playwright-core'
import { ws as WebSocket } from 'playwright-core/lib/utilsBundle'
import { setLine } from './pages-front.mjs'

const ADDRESS_MARK = 'bellwether-address '
const PREFERENCES = {
  // Firefox 140 ends a page's process when `ariaLabelledByElements` is read a second time from another realm, which playwright-core
  // and axe-core do. Without the property they read the attributes.
  'accessibility.ARIAElementReflection.enabled': false,
  // A walk may read what a page has copied.
  'dom.events.testing.asyncClipboard': true,
  'ui.prefersReducedMotion': 1,
  'layout.css.prefers-color-scheme.content-override': 1,
}
/** Permissions that this browser does not know; the preference above stands for them. */
const UNKNOWN_PERMISSIONS = ['clipboard-read', 'clipboard-write']

/** A message of the browser as playwright-core understands it. */
function translated(data) {
  const text = String(data)
  if (text.includes('"unknown command"')) {
    const { id, error } = JSON.parse(text)
    return error === 'unknown command' ? Buffer.from(JSON.stringify({ type: 'success', id, result: {} })) : data
  }
  if (text.includes(ADDRESS_MARK)) {
    const { method, params } = JSON.parse(text)
    if (method !== 'log.entryAdded' || !params.text?.startsWith(ADDRESS_MARK)) return data
    const change = { context: params.source.context, timestamp: params.timestamp, url: params.text.slice(ADDRESS_MARK.length) }
    return Buffer.from(JSON.stringify({ type: 'event', method: 'browsingContext.historyUpdated', params: change }))
  }
  return data
}

/** Runs in every page before its own code. */
function tellAddresses(mark) {
  const tell = () => console.debug(mark + location.href)
  for (const name of ['pushState', 'replaceState']) {
    const usual = history[name]
    history[name] = function (...given) {
      usual.apply(this, given)
      tell()
    }
  }
  addEventListener('popstate', tell)
}

function setTheme(theme) {
  if (document.documentElement) document.documentElement.dataset.theme = theme
}

function tellLine(isOnline) {
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline })
  dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
}

function adaptPage(page) {
  page.emulateMedia = ({ colorScheme }) => page.evaluate(setTheme, colorScheme)
}

async function adaptContext(context) {
  await context.addInitScript(tellAddresses, ADDRESS_MARK)
  context.on('page', adaptPage)
  context.setOffline = async (isOffline) => {
    setLine(!isOffline)
    for (const page of context.pages()) await page.evaluate(tellLine, !isOffline)
  }
  const close = context.close.bind(context)
  context.close = async () => {
    setLine(true)
    await close()
  }
  return context
}

export async function launchFirefox(executablePath = process.env.FIREFOX ?? '/usr/bin/firefox-esr') {
  const { emit } = WebSocket.prototype
  WebSocket.prototype.emit = function (name, data, ...rest) {
    return emit.call(this, name, name === 'message' ? translated(data) : data, ...rest)
  }
  const browser = await firefox.launch({
    channel: 'moz-firefox',
    executablePath,
    firefoxUserPrefs: PREFERENCES,
    env: { ...process.env, TZ: 'UTC' },
  })
  const newContext = browser.newContext.bind(browser)
  browser.newContext = async ({ permissions, ...options } = {}) => {
    const known = permissions?.filter((name) => !UNKNOWN_PERMISSIONS.includes(name))
    return adaptContext(await newContext({ ...options, ...(known?.length > 0 ? { permissions: known } : {}) }))
  }
  return browser
}
