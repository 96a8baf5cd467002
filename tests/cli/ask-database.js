// ask-database.js MODULES clickhouse|duckdb: reads a JSON list of statements from standard input, and prints a JSON list of
// their answers, each a list of rows. SPDX-License-Identifier: GPL-3.0-or-later
'use strict';
const path = require('path');
const [modules, engine] = process.argv.slice(2);

function clickhouse() {
  const { Session } = require(path.join(modules, 'chdb'));
  const session = new Session();
  // Whole numbers of 64 bits as such: those here are below 2^53.
  session.query('SET output_format_json_quote_64bit_integers = 0');
  return {
    ask: async (sql) => session.query(sql, 'JSONEachRow').split('\n').filter(Boolean).map((line) => JSON.parse(line)),
    end: () => session.cleanup(),
  };
}

async function duckdb() {
  const { DuckDBInstance } = require(path.join(modules, '@duckdb', 'node-api'));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  return {
    ask: async (sql) => (await connection.runAndReadAll(sql)).getRowObjectsJson(),
    end: () => connection.closeSync(),
  };
}

async function main() {
  const statements = JSON.parse(require('fs').readFileSync(0, 'utf8'));
  const database = engine === 'clickhouse' ? clickhouse() : await duckdb();
  const answers = [];
  for (const sql of statements) {
    try {
      answers.push(await database.ask(sql));
    } catch (error) {
      throw new Error(`${sql}\n${error}`);
    }
  }
  await new Promise((done) => process.stdout.write(JSON.stringify(answers), done));
  database.end();
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});
