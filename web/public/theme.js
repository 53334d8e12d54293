// Runs before the first paint, so that a page that was chosen dark never flashes white.
try {
  var kept = localStorage.getItem('bellwether.theme')
  if (kept === 'light' || kept === 'dark') document.documentElement.dataset.theme = kept
} catch (error) {
  // Without storage the system's choice stands.
}
