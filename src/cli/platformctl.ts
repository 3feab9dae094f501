#!/usr/bin/env sh
// A shell begins this file, see build.mjs. What it loads is built into files of its own, whose code is kept compiled.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CODE_FOLDER, CompiledCode } from './platformctl/starting/compiled-code.ts';

const places = {
  kept: join(homedir(), CODE_FOLDER),
  programs: __dirname,
  use: process.argv.includes('get') ? 'get' : 'any',
};
new CompiledCode(places, require).load('./platformctl-quick.cjs');
