/*
 * Length of uploaded audio in seconds, read from its container without decoding it; null where the
 * container does not state it. Lengths are checked against the bytes that are there where
 * the format allows, so that a header cannot make a long recording short. Hand-written, since admission
 * needs the length at once: music-metadata reads asynchronously, and its current releases need Node 22.
 */

type Reader = (file: Buffer) => number | null;

const tag = (file: Buffer, at: number, length = 4): string =>
  file.toString('latin1', at, at + length);

const ratio = (amount: number, perSecond: number): number | null =>
  perSecond > 0 && amount > 0 ? amount / perSecond : null;

/** Bytes of samples by bytes in a second. */
const wav: Reader = (file) => {
  let at = 12;
  let bytesPerSecond = 0;
  while (at + 8 <= file.length) {
    const size = file.readUInt32LE(at + 4);
    const name = tag(file, at);
    if (name === 'fmt ' && at + 20 <= file.length) bytesPerSecond = file.readUInt32LE(at + 16);
    if (name === 'data') return ratio(file.length - at - 8, bytesPerSecond);
    at += 8 + size + (size % 2);
  }
  return null;
};

const flac: Reader = (file) => {
  if (file.length < 26) return null;
  const rate = file.readUIntBE(18, 3) >> 4;
  const samples = (file.readUInt8(21) & 0x0f) * 2 ** 32 + file.readUInt32BE(22);
  return ratio(samples, rate);
};

const oggRate = (file: Buffer): number => {
  const head = file.subarray(0, 512);
  if (head.includes('OpusHead')) return 48_000;
  const vorbis = head.indexOf('\x01vorbis', 0, 'latin1');
  if (vorbis !== -1 && vorbis + 16 <= head.length) return head.readUInt32LE(vorbis + 12);
  const speex = head.indexOf('Speex   ');
  return speex !== -1 && speex + 40 <= head.length ? head.readUInt32LE(speex + 36) : 0;
};

/** The last page counts the samples of all. */
const ogg: Reader = (file) => {
  const last = file.lastIndexOf('OggS');
  if (last === -1 || last + 14 > file.length) return null;
  return ratio(Number(file.readBigInt64LE(last + 6)), oggRate(file));
};

const mp3Rates: readonly (readonly number[])[] = [
  [11_025, 12_000, 8_000],
  [],
  [22_050, 24_000, 16_000],
  [44_100, 48_000, 32_000],
];
const mp3Bits = {
  first: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  later: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const layerThree = 1;
const mpegOne = 3;

type Frame = Readonly<{ bytes: number; seconds: number }>;

const mp3Frame = (file: Buffer, at: number): Frame | null => {
  if (at + 4 > file.length || file.readUInt16BE(at) < 0xffe0) return null;
  const version = (file.readUInt8(at + 1) >> 3) & 3;
  const layer = (file.readUInt8(at + 1) >> 1) & 3;
  const third = file.readUInt8(at + 2);
  const rate = mp3Rates[version]?.[(third >> 2) & 3] ?? 0;
  const isFirst = version === mpegOne;
  const kilobits = (isFirst ? mp3Bits.first : mp3Bits.later)[third >> 4] ?? 0;
  if (layer !== layerThree || rate === 0 || kilobits === 0) return null;
  const samples = isFirst ? 1_152 : 576;
  const bytes = Math.floor(((samples / 8) * kilobits * 1_000) / rate) + ((third >> 1) & 1);
  return { bytes, seconds: samples / rate };
};

const aacRates = [
  96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
  7_350,
];

const aacFrame = (file: Buffer, at: number): Frame | null => {
  if (at + 7 > file.length || (file.readUInt16BE(at) & 0xfff6) !== 0xfff0) return null;
  const rate = aacRates[(file.readUInt8(at + 2) >> 2) & 15] ?? 0;
  const bytes = (file.readUIntBE(at + 3, 3) >> 5) & 0x1fff;
  return rate === 0 || bytes < 7 ? null : { bytes, seconds: 1_024 / rate };
};

const id3End = (file: Buffer): number => {
  if (tag(file, 0, 3) !== 'ID3' || file.length < 10) return 0;
  const [a = 0, b = 0, c = 0, d = 0] = file.subarray(6, 10);
  return 10 + (((a & 127) << 21) | ((b & 127) << 14) | ((c & 127) << 7) | (d & 127));
};

/** Frame by frame; a byte that begins none is skipped. */
const frames =
  (frameAt: (file: Buffer, at: number) => Frame | null): Reader =>
  (file) => {
    let at = id3End(file);
    let seconds = 0;
    while (at + 4 <= file.length) {
      const frame = frameAt(file, at);
      if (frame === null) {
        const next = file.indexOf(0xff, at + 1);
        if (next === -1) break;
        at = next;
      } else {
        seconds += frame.seconds;
        at += frame.bytes;
      }
    }
    return seconds > 0 ? seconds : null;
  };

/** `short`: the 32-bit size; 1 announces a 64-bit size after the name. */
const boxSize = (file: Buffer, at: number, short: number): number =>
  short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short;

/** Where the content of a box begins and ends; null: there is none of that name. */
const boxIn = (
  file: Buffer,
  name: string,
  within: Readonly<{ start: number; end: number }>,
): Readonly<{ start: number; end: number }> | null => {
  let at = within.start;
  while (at + 16 <= within.end) {
    const short = file.readUInt32BE(at);
    const size = boxSize(file, at, short);
    const end = short === 0 ? within.end : Math.min(at + size, within.end);
    if (tag(file, at + 4) === name) return { start: at + (short === 1 ? 16 : 8), end };
    if (size < 8 && short !== 0) return null;
    at = end;
  }
  return null;
};

const mp4: Reader = (file) => {
  const movie = boxIn(file, 'moov', { start: 0, end: file.length });
  const head = movie === null ? null : boxIn(file, 'mvhd', movie);
  if (head === null || head.start + 32 > file.length) return null;
  return file.readUInt8(head.start) === 1
    ? ratio(Number(file.readBigUInt64BE(head.start + 24)), file.readUInt32BE(head.start + 20))
    : ratio(file.readUInt32BE(head.start + 16), file.readUInt32BE(head.start + 12));
};

const clusterId = Buffer.from([0x1f, 0x43, 0xb6, 0x75]);
const durationId = Buffer.from([0x44, 0x89]);
const scaleId = Buffer.from([0x2a, 0xd7, 0xb1]);

/** The number that an element at `at` holds behind its one-byte size. */
const element = (file: Buffer, at: number, isFloat: boolean): number | null => {
  const size = file.readUInt8(at) & 0x7f;
  if (size < 1 || size > 8 || at + 1 + size > file.length) return null;
  if (isFloat && size === 8) return file.readDoubleBE(at + 1);
  if (isFloat && size === 4) return file.readFloatBE(at + 1);
  return isFloat || size > 6 ? null : file.readUIntBE(at + 1, size);
};

const after = (file: Buffer, id: Buffer, isFloat: boolean): number | null => {
  const at = file.subarray(0, 4_096).indexOf(id);
  return at === -1 ? null : element(file, at + id.length, isFloat);
};

/** The duration, or the time of the last cluster where a recorder never wrote one. */
const webm: Reader = (file) => {
  const scale = (after(file, scaleId, false) ?? 1_000_000) / 1e9;
  const duration = after(file, durationId, true);
  if (duration !== null && duration > 0) return duration * scale;
  const cluster = file.lastIndexOf(clusterId);
  const time = cluster === -1 ? -1 : file.indexOf(0xe7, cluster + 4);
  if (time === -1 || time > cluster + 16 || time + 2 > file.length) return null;
  const last = element(file, time + 1, false);
  return last === null || last === 0 ? null : last * scale;
};

const readerOf = (file: Buffer): Reader | null => {
  const start = tag(file, 0);
  if (start === 'RIFF' && tag(file, 8) === 'WAVE') return wav;
  if (start === 'fLaC') return flac;
  if (start === 'OggS') return ogg;
  if (tag(file, 4) === 'ftyp') return mp4;
  if (file.length > 4 && file.readUInt32BE(0) === 0x1a45dfa3) return webm;
  if (aacFrame(file, 0) !== null) return frames(aacFrame);
  return tag(file, 0, 3) === 'ID3' || mp3Frame(file, 0) !== null ? frames(mp3Frame) : null;
};

/** Speech at a low bit rate, for files that do not state their length. */
const bytesPerSecond = 4_000;

/** Seconds of audio. */
export const audioSeconds = (file: Buffer): number => {
  if (file.length < 16) return 1;
  try {
    const seconds = readerOf(file)?.(file) ?? null;
    if (seconds !== null && Number.isFinite(seconds)) return seconds;
  } catch (error) {
    // A file that ends within its header states no length.
    if (!(error instanceof RangeError)) throw error;
  }
  return file.length / bytesPerSecond;
};

/** Started seconds, at 1,000 tokens a minute (infra/reference/money-rules.md, section 7.4). */
export const audioTimeTokens = (seconds: number): number =>
  Math.round((Math.ceil(seconds) / 60) * 1_000);
