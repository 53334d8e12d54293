// Each kind of word outside the texts, planted and found; and what is no language passes.
import { expect, test } from 'vitest'
import { findInComponent, findInModule } from './find.mjs'

const inComponent = (source) => findInComponent(source).map(({ kind, text }) => `${kind}: ${text}`)
const inModule = (source) => findInModule(source).map(({ text }) => text)

test('letters in a text node are refused, also inside blocks and components', () => {
  expect(inComponent('<p>Cash</p>')).toEqual(['text: Cash'])
  expect(inComponent('{#if open}<p>{n} left</p>{:else}none{/if}')).toEqual(['text: left', 'text: none'])
  expect(inComponent('{#each rows as row}<b>x</b>{:else}empty{/each}')).toEqual(['text: x', 'text: empty'])
  expect(inComponent('<Notice>{#snippet badge()}new{/snippet}</Notice>')).toEqual(['text: new'])
  expect(inComponent('{#await page}wait{:then it}done{:catch}lost{/await}')).toEqual([
    'text: wait',
    'text: done',
    'text: lost',
  ])
  expect(inComponent('{#key seed}again{/key}<svelte:head><title>Home</title></svelte:head>')).toEqual([
    'text: again',
    'text: Home',
  ])
  expect(inComponent('<kbd>b</kbd>')).toEqual(['text: b'])
})

test.each(['aria-label', 'title', 'placeholder', 'alt', 'data-label'])('letters in %s are refused', (name) => {
  expect(inComponent(`<input ${name}="sum" />`)).toEqual([`${name}: sum`])
  expect(inComponent(`<input ${name}={'sum'} />`)).toEqual([`${name}: sum`])
  expect(inComponent(`<input ${name}="{count} left" />`)).toEqual([`${name}: left`])
  expect(inComponent(`<input ${name}={open ? 'shut' : texts.open} />`)).toEqual([`${name}: shut`])
  expect(inComponent(`<input ${name}={\`\${count} left\`} />`)).toEqual([`${name}: left`])
  expect(inComponent(`<Field ${name}="sum" />`)).toEqual([`${name}: sum`])
  expect(inComponent(`<input ${name}={texts.sum} />`)).toEqual([])
})

test('literals that an expression may show are refused, however deep', () => {
  expect(inComponent("<p>{open ? 'Close' : 'Open'}</p>")).toEqual(['text: Close', 'text: Open'])
  expect(inComponent("<p>{name || 'nameless'}{size ?? 'all'}</p>")).toEqual(['text: nameless', 'text: all'])
  expect(inComponent("<p>{count + ' left'}</p>")).toEqual(['text: left'])
  expect(inComponent('<p>{`of ${all ? `the ${one}` : two}`}</p>')).toEqual(['text: of', 'text: the'])
  expect(inComponent('<script lang="ts"></script><p>{(\'now\' as string)!}</p>')).toEqual(['text: now'])
})

test('words that are given to a component are refused', () => {
  expect(inComponent('<Button label="buy" />')).toEqual(['label: buy'])
  expect(inComponent('<Button caption="Buy it" />')).toEqual(['caption: Buy it'])
  expect(inComponent("<Segments options={[{ value: 'BUY', label: 'buy' }]} />")).toEqual(['script: buy'])
})

test('words in scripts are refused', () => {
  expect(inModule("toasts.good('Order changed')")).toEqual(['Order changed'])
  expect(inModule("throw new Error('nothing is chosen')")).toEqual(['nothing is chosen'])
  expect(inModule('const line = `${size} at ${price}`')).toEqual(['0 at 0'])
  expect(inModule("const where = inside ? texts.toTheHouse : 'out'")).toEqual(['out'])
  expect(inModule("const where = inside ? texts.to(house) : name ?? 'out'")).toEqual(['out'])
  expect(inModule("const unit = count === 1 ? 'draft' : 'drafts'")).toEqual(['draft', 'drafts'])
  expect(inModule("const words: Record<string, string> = { GTC: 'Until cancelled' }")).toEqual(['Until cancelled'])
  expect(inComponent("<script>\n  let title = 'Home'\n</script>")).toEqual(['script: Home'])
})

test('words beside a number are refused', () => {
  expect(inModule("const often = ['every 5 minutes', '2 in 30 minutes', '5 minutes', 'every 5', 'in 2.']")).toEqual([
    'every 5 minutes',
    '2 in 30 minutes',
    '5 minutes',
    'every 5',
    'in 2.',
  ])
  expect(inComponent("<script>\n  const rows = [[texts.keys, '2 at once']]\n</script>")).toEqual(['script: 2 at once'])
  expect(inModule("const path = ['M12 8v5M12 16.5v.01', 'a9 9 0 0 0 0-18zM12 11v5', '0 0 24 24', 'min-width: 62rem']")).toEqual([])
})

test('a lone word beside texts is one of them', () => {
  expect(inModule("const KINDS: Record<Kind, string> = { DIRECT: 'direct', MINT: texts.newPair, POOL: '' }")).toEqual(['direct'])
  expect(inModule("const kind = (one: Kind) => { if (one) return texts.newPair; return 'direct' }")).toEqual(['direct'])
  expect(inModule("function kind() { return () => { return 'yes' }; }")).toEqual([])
  expect(inModule("const LOOKS: Record<Kind, string> = { DIRECT: 'plain', MINT: 'primary' }")).toEqual([])
  expect(inModule("const options: Option[] = [{ value: 'house', label: texts.house }]")).toEqual([])
})

test('a word that stands in for a missing value is refused inside a call too', () => {
  expect(inComponent("<p>{sentence(draft.category || 'category')}</p>")).toEqual(['text: category'])
  expect(inComponent("<p title={sentence(draft.category ?? 'none')}></p>")).toEqual(['title: none'])
  expect(inComponent("<p>{money(sum, 'USD')}{when(at, open && 'short')}</p>")).toEqual([])
})

test('a separator with a word is refused', () => {
  expect(inModule("const both = names.join(' and ')")).toEqual(['and'])
  expect(inComponent("<p>{texts.by(names.join(', or '))}</p>")).toEqual(['script: , or'])
  expect(inModule("const path = points.join('L') + names.join(', ') + names.join()")).toEqual([])
})

test('a comparison with two words is refused, because codes have one', () => {
  expect(inModule("if (title !== 'In play') open()")).toEqual(['In play'])
  expect(inModule("switch (title) { case 'In play': open() }")).toEqual(['In play'])
})

test('what is no language passes', () => {
  const component = `
    <!-- A comment may say what it wants. -->
    <script lang="ts">
      import Icon from './Big Icon.svelte'
      type Look = 'Very plain' | 'quiet'
      const look: Look = kind === 'Plain' ? 'quiet' : 'primary'
    </script>
    <p class="soft small {look} left" data-field="sum">{texts.sum} · {count}% · $1 · ₦100 · 45¢ · –</p>
    <Icon name="arrow-left" size={16} look="primary" href="/events/new" />
    <a href="/events/{slug}">{money(sum, 'USD')}</a>
    <style>
      p::before {
        content: 'Words of a style sheet';
      }
    </style>`
  expect(inComponent(component)).toEqual([])
  expect(inModule("if (status === 'Odd') throw new RangeError('an odd status')")).toEqual([])
  expect(inModule("switch (kind) { case 'Odd': navigate('/events/new') }")).toEqual([])
})

test('a comment exempts a string of a script, and nothing in the markup', () => {
  expect(inModule("// No text, but a selector.\nconst field = find('input, textarea')")).toEqual([])
  expect(inModule("const header = 'Retry-After' // A header, no text.")).toEqual([])
  expect(inModule("// No text, but a selector.\n\nconst field = find('input, textarea')")).toEqual(['input, textarea'])
  expect(inComponent("<p>{// No text.\n'Close'}</p>")).toEqual(['text: Close'])
})

test('a finding has its line', () => {
  expect(findInComponent('<p>\n  {texts.sum}\n</p>\n<b>lost</b>')[0]).toMatchObject({ line: 4, text: 'lost' })
  expect(findInModule("const a = 1\nconst b = 'Two words'")[0]).toMatchObject({ line: 2 })
})
