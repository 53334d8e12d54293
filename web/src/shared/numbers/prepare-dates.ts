// A worker that ends at once. The first format of dates makes the browser load tables that all threads of the page share: here
// nobody waits for it.
new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' }).format(0)
close()
