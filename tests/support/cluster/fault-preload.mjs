/*
 * Loaded before a process of a cluster (`--import`): its wall clock can be shifted while it runs,
 * and its disk can be full. The file of FAULT_CONTROL contains what to do, so that a process that
 * is started again reads it too. Monotonic clocks are left alone.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const path = process.env.FAULT_CONTROL ?? '';
const pollMs = 50;
let control = { shiftMs: 0, isDiskFull: false };
let readAt = 0;

const readControl = () => {
  try {
    const { mtimeMs } = fs.statSync(path);
    if (mtimeMs === readAt) return;
    control = JSON.parse(fs.readFileSync(path, 'utf8'));
    readAt = mtimeMs;
  } catch {
    // Not there yet, or being replaced.
  }
};
readControl();
setInterval(readControl, pollMs).unref();

const RealDate = Date;
const realNow = RealDate.now;
RealDate.now = () => realNow() + control.shiftMs;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget),
  apply: (target) => new target(target.now()).toString(),
});

/** As on a full disk: what is there can be written over, and no file grows. */
const refuseGrowth = (descriptor, length, position) => {
  if (!control.isDiskFull) return;
  const found = fs.fstatSync(descriptor);
  if (!found.isFile() || (position ?? found.size) + length <= found.size) return;
  const error = new Error('ENOSPC: no space left on device, write');
  throw Object.assign(error, { code: 'ENOSPC', errno: -28, syscall: 'write' });
};

const { writeSync, writevSync } = fs;
fs.writeSync = (descriptor, data, ...rest) => {
  const [, length, position] = rest;
  refuseGrowth(descriptor, length ?? Buffer.byteLength(data), position);
  return writeSync(descriptor, data, ...rest);
};
fs.writevSync = (descriptor, pieces, position) => {
  const length = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
  refuseGrowth(descriptor, length, position);
  return writevSync(descriptor, pieces, position);
};
syncBuiltinESMExports();
