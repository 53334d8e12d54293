// Every page of the traders, on one screen. Pages are loaded when they are first gone to.
import type { Component } from 'svelte'
import { match, type Parameters } from '../shared/router/match'

type Page = () => Promise<{ default: Component<any> }>

const ROUTES: [string, Page][] = [
  ['/', () => import('./browse/BrowsePage.svelte')],
  ['/series', () => import('./series/SeriesPage.svelte')],
  ['/series/:slug', () => import('./series/SeriesPage.svelte')],
  ['/sports', () => import('./sports/SportsPage.svelte')],
  ['/sports/:slug', () => import('./sports/MatchPage.svelte')],
  ['/events/:slug', () => import('./event/EventPage.svelte')],
  ['/portfolio', () => import('./portfolio/PortfolioPage.svelte')],
  ['/forgot-password', () => import('./password/ForgotPage.svelte')],
  ['/help', () => import('./help/HelpPage.svelte')],
  ['/solvency', () => import('./solvency/SolvencyPage.svelte')],
  ['/account', () => import('./account/AccountPage.svelte')],
]

export interface Found {
  pattern: string
  page: Page
  parameters: Parameters
}

export function find(path: string): Found | null {
  for (const [pattern, page] of ROUTES) {
    const parameters = match(pattern, path)
    if (parameters) return { pattern, page, parameters }
  }
  return null
}
