// A worker that ends at once. The first date format makes the browser load tables, which all threads of a page share. The
// worker loads them off the main thread.
new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' }).format(0)
close()
