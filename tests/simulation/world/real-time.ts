const names = ['setTimeout', 'setInterval', 'setImmediate'] as const;

const refuse = (what: string) => (): never => {
  throw new Error(`simulated code uses ${what} instead of its port`);
};

/** Runs `work` where the real clock, real timers and real chance are out of reach. */
export const withoutRealTime = async <T>(work: () => Promise<T>): Promise<T> => {
  const globals = globalThis as unknown as Record<string, unknown>;
  const before = names.map((name) => globals[name]);
  const { now } = Date;
  const { random } = Math;
  const monotonic = performance.now;
  for (const name of names) globals[name] = refuse(name);
  Date.now = refuse('Date.now');
  Math.random = refuse('Math.random');
  performance.now = refuse('performance.now');
  try {
    return await work();
  } finally {
    for (const [index, name] of names.entries()) globals[name] = before[index];
    Date.now = now;
    Math.random = random;
    performance.now = monotonic;
  }
};
