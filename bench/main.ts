// npm run bench -- [arguments]: the quality of search and answers if `knowledge` is named, that of summaries if
// `summaries` is, else the speed of the service.
const scenario = process.argv[2]
if (scenario === 'knowledge') await import('./knowledge/run.ts')
else if (scenario === 'summaries') await import('./summaries/run.ts')
else await import('./run.ts')
