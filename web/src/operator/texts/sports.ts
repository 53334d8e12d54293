// Texts of sports. README.md, "Texts", says how to add one.
import { plural, type Value } from '../../shared/texts/language'

// CreateEventsDialog
export const chooseAtLeastOneCurrency = 'Choose at least one currency.'
export const margins = 'Margins'
export const goals = 'Goals'
export const draftsWereMade = (count: number) =>
  `${count} ${plural(count, { one: 'draft was', other: 'drafts were' })} made`
export const openThemOneByOne = 'Open them one by one.'
export const eventsOf = (home: Value, away: Value) => `Events of ${home} – ${away}`
export const createTheDrafts = 'Create the drafts'
export const whoWinsByHowMuch = 'Who wins, by how much, and how many goals there are. They open one by one.'
export const engine = 'Engine'
export const marginsInGoals = 'Margins in goals'
export const asksWhetherATeamWins = (goals: string) => `${goals} asks whether a team wins by more.`
export const goalsOfTheWholeGame = 'Goals of the whole game'
export const scoreLinesExample = (lines: string) => `Two at least: ${lines}`
export const feeInPercent = 'Fee in percent'
export const rules = 'Rules'

// ImportDialog
export const thisIsNotJson = (what: Value) => `This is not JSON: ${what}`
export const imported = 'Imported'
export const leaguesTeamsGames = (leagues: number, teams: number, games: number) =>
  [
    `${leagues} ${plural(leagues, { one: 'league', other: 'leagues' })}`,
    `${teams} ${plural(teams, { one: 'team', other: 'teams' })}`,
    `${games} ${plural(games, { one: 'game', other: 'games' })}`,
  ].join(', ')
export const importSports = 'Import sports'
export const importIt = 'Import'
export const everythingInItIsTaken = 'Everything in it is taken, or nothing. The shape is described at'
export const theAPIsOwnPage = "the API's own page"
export const aJsonFile = 'A JSON file'
export const orItsContents = 'Or its contents'

// ResultDialog
export const sayTheScore = 'Say the score.'
export const theResultIsRecorded = 'The result is recorded and paid'
export const theResultIsProposed = 'The result is proposed'
export const result = 'Result'
export const recordAndPay = 'Record and pay'
export const proposeTheResult = 'Propose the result'
export const allEventsOfTheGame = 'All events of the game are closed and paid. What is paid cannot be taken back.'
export const whatItPays = 'What it pays'
export const anotherApproverFinalises = 'Another approver finalises what you propose.'
export const itStandsInPublic = 'It stands in public for a while before it can be finalised.'

// ScoreDialog
export const inPlay = 'In play'
export const notBegun = 'Not begun'
export const postponed = 'Postponed'
export const thePageShowsIt = 'The page shows it'
export const score = 'Score'
export const showIt = 'Show it'
export const stateOfTheGame = 'State of the game'
export const clock = 'Clock'
export const forExample63OrHalf = "For example 63', or half time. It pays nothing and closes nothing."

// SportsPage
export const sports = 'Sports'
export const aSoccerGameHasThree =
  'A soccer game has three linked events: who wins, by how much, how many goals. One result closes and pays all of them.'
export const importButton = 'Import…'
export const pendingResults = 'Pending results'
export const games = 'Games'
export const noGamesYet = 'No games yet'
export const importLeaguesTeamsAndGames = 'Import leagues, teams and games from a file.'
export const game = 'Game'
export const league = 'League'
export const begins = 'Begins'
export const state = 'State'
export const actions = 'Actions'
export const itsEvents = 'Its events'
export const createEventsButton = 'Create events…'
export const scoreButton = 'Score…'
export const resultButton = 'Result…'
