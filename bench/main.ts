/** `npm run bench -- NAME [OPTIONS]`: one measurement by its name. Figures are printed; nothing is asserted. */
const benches: Record<string, () => Promise<(options: string[]) => Promise<void>>> = {
  startup: async () => (await import('./startup.ts')).startup,
  deliveries: async () => (await import('./deliveries.ts')).deliveries,
}

async function main([name = '', ...options]: string[]): Promise<void> {
  const load = Object.hasOwn(benches, name) ? benches[name] : undefined
  if (load) return (await load())(options)
  console.log(`Usage: npm run bench -- NAME [OPTIONS]\nNames: ${Object.keys(benches).join(', ')}`)
  if (name !== '') process.exitCode = 2
}

main(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error)
  process.exitCode = 1
})
