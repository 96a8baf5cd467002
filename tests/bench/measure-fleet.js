// measure-fleet.js MODULES clickhouse|duckdb DIRECTORY: reads lines of JSON, {sql, times}, and prints for each a line with the
// least seconds of the clock and of processors, and the rows of the answer; at the end the most memory, in bytes.
// SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
const path = require('path');
const readline = require('readline');
const [modules, engine, directory] = process.argv.slice(2);

function clickhouse() {
  const { Session } = require(path.join(modules, 'chdb'));
  const session = new Session(directory);
  return async (sql) => session.query(sql, 'JSONEachRow').split('\n').filter(Boolean).map((line) => JSON.parse(line));
}

async function duckdb() {
  const { DuckDBInstance } = require(path.join(modules, '@duckdb', 'node-api'));
  const instance = await DuckDBInstance.create(path.join(directory, 'fleet.duckdb'), { memory_limit: '5GB' });
  const connection = await instance.connect();
  return async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson();
}

async function main() {
  const ask = engine === 'clickhouse' ? clickhouse() : await duckdb();
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const { sql, times } = JSON.parse(line);
    let [seconds, cpu, rows] = [Infinity, Infinity, []];
    for (let i = 0; i < times; i++) {
      const [began, used] = [process.hrtime.bigint(), process.cpuUsage()];
      rows = await ask(sql);
      const more = process.cpuUsage(used);
      seconds = Math.min(seconds, Number(process.hrtime.bigint() - began) / 1e9);
      cpu = Math.min(cpu, (more.user + more.system) / 1e6);
    }
    process.stdout.write(`${JSON.stringify({ seconds, cpu, rows: rows.slice(0, 100), n: rows.length,
      memory: process.resourceUsage().maxRSS * 1024 })}\n`);
  }
  process.exit(0);
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
