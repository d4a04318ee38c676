/* A subscriber in a process of its own: answers 200 at once, and says over IPC which ids came, when asked. */
const { createServer } = require('node:http')

const ids = new Map()
const server = createServer((request, response) => {
  const id = `${request.url} ${request.headers['webhook-id']}`
  ids.set(id, (ids.get(id) ?? 0) + 1)
  request.resume().on('end', () => response.writeHead(200).end())
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))

process.on('message', () => {
  let requests = 0
  for (const times of ids.values()) requests += times
  process.send({ requests, different: ids.size })
  ids.clear()
})
process.on('disconnect', () => process.exit())
