// npm run bench -- [arguments]: the quality of search and answers if `knowledge` is named, else the speed of the service.
await (process.argv[2] === 'knowledge' ? import('./knowledge/run.ts') : import('./run.ts'))
