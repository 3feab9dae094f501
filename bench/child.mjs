import { readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

/** Processor seconds a process has used, all its threads; undefined where the system does not tell. */
export function cpuSecondsOf(pid) {
  return sumOfTicks(pid, 13, 14);
}

/** Processor seconds of all children of this process that have ended. */
export function cpuSecondsOfEndedChildren() {
  return sumOfTicks('self', 15, 16);
}

function sumOfTicks(pid, ...columns) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second column is the name of the command, which may hold spaces.
    const fields = ['', ...text.slice(text.lastIndexOf(')') + 1).split(' ')];
    return columns.reduce((sum, column) => sum + Number(fields[column]), 0) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** Resident memory of a process in MB; undefined where the system does not tell. */
export function residentMegabytesOf(pid) {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** What of it belongs to no file, in MB. */
export function anonymousMegabytesOf(pid) {
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;
}

/** Ends a process as an operator would; resolves when it is gone. */
export function stop(child) {
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });
}
