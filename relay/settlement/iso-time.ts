let second = -1;
let prefix = '';
const millis = Array.from({ length: 1_000 }, (_, ms) => `${String(ms).padStart(3, '0')}Z`);

/** Unix milliseconds as ISO-8601; the text of a second is made once. */
export const isoTime = (atMs: number): string => {
  const ofSecond = Math.floor(atMs / 1_000);
  if (ofSecond !== second) {
    second = ofSecond;
    prefix = new Date(ofSecond * 1_000).toISOString().slice(0, -4);
  }
  return prefix + (millis[Math.floor(atMs) - ofSecond * 1_000] ?? '000Z');
};
