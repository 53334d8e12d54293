// Debian's Firefox over WebDriver BiDi. Its version 140 lacks commands that playwright-core sends for every page, such as the one
// for downloads: an unknown command counts as done here. A walk that needs what such a command does fails by its own assertion.
import { firefox } from 'playwright-core'
import { ws as WebSocket } from 'playwright-core/lib/utilsBundle'

function withoutUnknown(data) {
  if (!String(data).includes('"unknown command"')) return data
  const { id, error } = JSON.parse(String(data))
  return error === 'unknown command' ? Buffer.from(JSON.stringify({ type: 'success', id, result: {} })) : data
}

export function launchFirefox(executablePath = process.env.FIREFOX ?? '/usr/bin/firefox-esr') {
  const { emit } = WebSocket.prototype
  WebSocket.prototype.emit = function (name, data, ...rest) {
    return emit.call(this, name, name === 'message' ? withoutUnknown(data) : data, ...rest)
  }
  return firefox.launch({ channel: 'moz-firefox', executablePath })
}
