// Every page of the console, on one screen. Pages are loaded when they are first gone to.
import type { Component } from 'svelte'
import { match, type Parameters } from '../shared/router/match'

type Page = () => Promise<{ default: Component<any> }>

const ROUTES: [string, Page][] = [
  ['/', () => import('./overview/OverviewPage.svelte')],
  ['/events', () => import('./events/EventsPage.svelte')],
  ['/events/new', () => import('./events/NewEventPage.svelte')],
  ['/events/calendar', () => import('./events/CalendarPage.svelte')],
  ['/events/import', () => import('./events/ImportPage.svelte')],
  ['/events/:slug', () => import('./events/EventPage.svelte')],
  ['/events/:slug/edit', () => import('./events/EditEventPage.svelte')],
  ['/proposals', () => import('./proposals/ProposalsPage.svelte')],
  ['/proposals/:proposal', () => import('./proposals/ProposalsPage.svelte')],
  ['/users', () => import('./users/UsersPage.svelte')],
  ['/users/:user', () => import('./users/UserPage.svelte')],
  ['/password-resets', () => import('./resets/ResetsPage.svelte')],
  ['/series', () => import('./series/SeriesPage.svelte')],
  ['/sports', () => import('./sports/SportsPage.svelte')],
  ['/operators', () => import('./operators/OperatorsPage.svelte')],
  ['/audit', () => import('./audit/AuditPage.svelte')],
  ['/solvency', () => import('./solvency/SolvencyPage.svelte')],
]

export interface Found {
  page: Page
  parameters: Parameters
}

export function find(path: string): Found | null {
  for (const [pattern, page] of ROUTES) {
    const parameters = match(pattern, path)
    if (parameters) return { page, parameters }
  }
  return null
}
