// The ticket of a page: it follows the chosen market, its book, and what the reader has there. A narrow page shows it in a sheet.
import { untrack } from 'svelte'
import { MediaQuery } from 'svelte/reactivity'
import type { Event, Market, OutcomeSide } from '../../shared/api/types'
import { coverPage, router, setQuery } from '../../shared/router/router.svelte'
import { LiveBook } from '../event/live-book.svelte'
import { Own } from '../event/own.svelte'
import { pricesOf, sameTerms } from '../market/price-board.svelte'
import { currency } from '../session/currency.svelte'
import { session } from '../session/session.svelte'
import { Ticket } from './ticket.svelte'

export class Desk {
  readonly ticket = new Ticket()
  readonly book = new LiveBook()
  readonly own = new Own()
  /** Wide enough for a ticket beside the page. */
  readonly wide = new MediaQuery('min-width: 62.01rem')
  sheet = $state(false)
  /** The ticket has its market. */
  ready = $state(false)

  /** Only while a component starts: the effects end with it. `reread` reads the market again. */
  constructor(event: () => Event | undefined, market: () => Market | undefined, reread: () => void) {
    // By id: an event that was read again is followed on.
    const eventId = $derived(event()?.id)
    const marketId = $derived(market()?.id)
    const onBook = $derived(event()?.engine === 'CLOB')
    $effect(() => {
      const inCurrency = currency.current
      if (!marketId || !onBook) return
      return untrack(() => this.book.follow(market()!, inCurrency))
    })
    $effect(() => {
      const inCurrency = currency.current
      if (!eventId || !session.active) return untrack(() => this.own.forget())
      return untrack(() => this.own.follow(event()!, inCurrency))
    })
    // Terms were announced, changed, withdrawn or applied: what applies now is read. Only a message of the stream begins it, so
    // that a read of a market which the stream has not caught up with does not begin the next one.
    const announced = $derived(market() && pricesOf(market()!).announced)
    $effect(() => {
      void announced
      untrack(() => {
        if (!sameTerms(announced, market()?.announcedTerms)) reread()
      })
    })
    // Quotes and confirmations are those of the person who is shown.
    const person = $derived(session.user?.id)
    $effect(() => {
      void person
      untrack(() => this.ready && this.ticket.forget())
    })
    const take = () => {
      const [of, chosen] = [event(), market()]
      if (!of || !chosen) return
      this.ticket.event = of
      this.ticket.market = chosen
      this.ready = true
    }
    // What is known already is there at the first look.
    untrack(take)
    $effect(take)
    $effect(() => {
      this.ticket.books = onBook ? this.book.books : {}
    })
    // A link may come with a side already taken.
    const asked = $derived(router.query.get('outcome'))
    $effect(() => {
      if (asked === 'YES' || asked === 'NO') this.ticket.form.outcome = asked
    })
    $effect(() => {
      if (this.sheet && !this.wide.current) return coverPage(() => (this.sheet = false))
    })
  }

  /** Shows the ticket where it is not beside the page. */
  show(): void {
    if (!this.wide.current) this.sheet = true
  }

  choose(market: Market, outcome: OutcomeSide): void {
    setQuery({ market: market.id, outcome }, { replace: true })
    this.ticket.form.outcome = outcome
    this.ticket.form.price = ''
    this.show()
  }

  /** An order was sent. */
  readonly done = (): void => {
    this.sheet = false
    this.own.refresh()
  }
}
