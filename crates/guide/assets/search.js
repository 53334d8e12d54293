// The search of the guide: fetches the index when the box is first used, and lists the sections that contain all words.
// Also opens the table of contents where it has a column of its own, and makes wide blocks scrollable by keyboard.
'use strict'

const RESULTS_MAX = 20
const SNIPPET_CHARACTERS = 150

const form = document.querySelector('form[role=search]')
const query = form.querySelector('input')
const panel = form.querySelector('.results')
const status = panel.querySelector('[role=status]')
const list = panel.querySelector('ol')

let loading = null

/** All sections, with lower-case copies to compare. */
function load() {
  loading ??= fetch(form.dataset.index)
    .then((response) => {
      if (!response.ok) throw new Error(String(response.status))
      return response.json()
    })
    .then((index) =>
      index.documents.flatMap((page) =>
        page.sections.map((section, position) => ({
          url: position === 0 ? page.url : `${page.url}#${section.id}`,
          title: page.title,
          heading: section.heading,
          text: section.text,
          lowTitle: page.title.toLowerCase(),
          lowHeading: section.heading.toLowerCase(),
          lowText: section.text.toLowerCase(),
        })),
      ),
    )
    .catch((error) => {
      loading = null
      throw error
    })
  return loading
}

function isWordStart(text, at) {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])
}

/** Points of one place for one word. A hit at the beginning of a word counts twice. */
function points(text, word, weight) {
  const at = text.indexOf(word)
  if (at < 0) return 0
  return isWordStart(text, at) || text.includes(` ${word}`) ? 2 * weight : weight
}

/** 0 if a word is missing. A heading counts more than the document's title, and that more than the text. */
function score(section, words, phrase) {
  let total = 0
  for (const word of words) {
    const found =
      points(section.lowHeading, word, 20) + points(section.lowTitle, word, 5) + points(section.lowText, word, 2)
    if (found === 0) return 0
    total += found
  }
  if (section.lowHeading === phrase) total += 100
  else if (words.length > 1 && section.lowHeading.includes(phrase)) total += 40
  else if (words.length > 1 && section.lowText.includes(phrase)) total += 20
  return total
}

/** Appends text with the words marked. Never as HTML. */
function appendMarked(element, text, words) {
  const low = text.toLowerCase()
  // Lower case can change the length of a text; then positions do not match.
  let at = low.length === text.length ? 0 : text.length
  let plain = 0
  while (at < text.length) {
    const word = words.find((word) => low.startsWith(word, at))
    if (word === undefined) {
      at += 1
      continue
    }
    element.append(text.slice(plain, at))
    const mark = document.createElement('mark')
    mark.textContent = text.slice(at, at + word.length)
    element.append(mark)
    at += word.length
    plain = at
  }
  element.append(text.slice(plain))
}

/** The text around the first hit, cut between words. */
function snippet(section, words) {
  const hits = words.map((word) => section.lowText.indexOf(word)).filter((at) => at >= 0)
  const first = hits.length === 0 ? 0 : Math.min(...hits)
  const begin = first < 40 ? 0 : section.text.indexOf(' ', first - 40) + 1
  const rest = section.text.slice(begin)
  const short = rest.length > SNIPPET_CHARACTERS ? rest.slice(0, rest.lastIndexOf(' ', SNIPPET_CHARACTERS)) : rest
  return (begin > 0 ? '… ' : '') + short + (short.length < rest.length ? ' …' : '')
}

function item(section, words) {
  const link = document.createElement('a')
  link.href = section.url
  const heading = document.createElement('strong')
  appendMarked(heading, section.heading, words)
  const text = document.createElement('span')
  appendMarked(text, snippet(section, words), words)
  const place = document.createElement('small')
  place.textContent = section.title === section.heading ? '' : section.title
  link.append(heading, ' ', place, text)
  const entry = document.createElement('li')
  entry.append(link)
  return entry
}

async function show() {
  const asked = query.value
  const phrase = asked.trim().toLowerCase().replace(/\s+/gu, ' ')
  if (phrase === '') {
    close()
    return
  }
  const words = [...new Set(phrase.split(' '))].sort((a, b) => b.length - a.length)
  let sections
  try {
    sections = await load()
  } catch {
    list.replaceChildren()
    status.textContent = 'The search index cannot be loaded.'
    panel.hidden = false
    return
  }
  // The box has changed while the index was loading.
  if (query.value !== asked) return
  const found = sections
    .map((section) => ({ section, score: score(section, words, phrase) }))
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score)
  list.replaceChildren(...found.slice(0, RESULTS_MAX).map((hit) => item(hit.section, words)))
  const count = found.length === 1 ? '1 section' : `${found.length} sections`
  status.textContent = found.length > RESULTS_MAX ? `${count}, the best ${RESULTS_MAX} first` : count
  panel.hidden = false
  panel.scrollTop = 0
}

function close() {
  panel.hidden = true
  list.replaceChildren()
  status.textContent = ''
}

/** Moves the focus through the box and the results. */
function move(step) {
  const stops = [query, ...list.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement)
  stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus()
}

query.addEventListener('focus', () => load().catch(() => {}), { once: true })
query.addEventListener('input', show)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  list.querySelector('a')?.click()
})
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    close()
    query.focus()
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    move(event.key === 'ArrowDown' ? 1 : -1)
  }
})
// A result on the current page changes only the fragment.
list.addEventListener('click', close)
document.addEventListener('click', (event) => {
  if (!form.contains(event.target)) panel.hidden = true
})
query.addEventListener('click', () => {
  if (list.childElementCount > 0) panel.hidden = false
})
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]')
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault()
    query.focus()
  }
})
form.hidden = false

const contents = document.querySelector('.contents details')
if (contents && matchMedia('(min-width: 75rem)').matches) contents.open = true

for (const block of document.querySelectorAll('pre, .table')) {
  if (block.scrollWidth > block.clientWidth) block.tabIndex = 0
}
