/** Of no use at a terminal of one process tree. */
const left = new Set(['level', 'time', 'name', 'msg', 'pid', 'hostname']);

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

/** A line of the JSON log as a person reads it: time of day, level, process, message, then the fields. */
export const readableLine = (json: string): string => {
  const entry = JSON.parse(json) as Record<string, unknown>;
  const at = new Date(String(entry.time));
  const time = at.toTimeString().slice(0, 8);
  const fields = Object.entries(entry).filter(([field]) => !left.has(field));
  const details = fields.map(([field, value]) => `  ${field}=${shown(value)}`).join('');
  return `${time} ${String(entry.level).padEnd(5)} ${entry.name}: ${entry.msg}${details}\n`;
};
