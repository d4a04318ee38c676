#!/usr/bin/env node
'use strict'
// The launcher: answers what needs no program, and otherwise loads dist/ with the code V8 compiled last time.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const dist = join(__dirname, '..', 'dist')
const start = JSON.parse(readFileSync(join(dist, 'start.json'), 'utf8'))
const [first, ...more] = process.argv.slice(2)

if (more.length === 0 && (first === '--version' || first === '-V')) process.stdout.write(`${start.version}\n`)
else if (more.length === 0 && (first === undefined || first === '--help' || first === '-h')) {
  process.stdout.write(readFileSync(join(dist, 'help.txt')))
} else require('./load.js').load(dist, start, first)
