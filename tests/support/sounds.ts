/** A wave file of silence: 8,000 samples a second, one byte each. */
export const aWave = (seconds: number): Buffer => {
  const bytes = Math.round(seconds * 8_000);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + bytes, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8_000, 24);
  head.writeUInt32LE(8_000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(bytes, 40);
  return Buffer.concat([head, Buffer.alloc(bytes, 128)]);
};

/** Frames of MP3 at 128 kbit/s and 44,100 samples a second: 417 bytes for 1,152 samples. */
export const anMp3 = (frames: number): Buffer => {
  const frame = Buffer.alloc(417);
  frame.set([0xff, 0xfb, 0x90, 0xc4]);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
};

/** Two pages of Opus, the last one of which counts the samples. */
export const anOpus = (seconds: number): Buffer => {
  const page = (samples: number, content: string): Buffer => {
    const head = Buffer.alloc(27);
    head.write('OggS', 0, 'latin1');
    head.writeBigInt64LE(BigInt(samples), 6);
    return Buffer.concat([head, Buffer.from(content, 'latin1')]);
  };
  return Buffer.concat([page(0, 'OpusHead'), page(seconds * 48_000, 'x'.repeat(200))]);
};

const box = (name: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length, 0);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content]);
};

export const anMp4 = (seconds: number): Buffer => {
  const head = Buffer.alloc(100);
  head.writeUInt32BE(1_000, 12);
  head.writeUInt32BE(seconds * 1_000, 16);
  const samples = box('mdat', Buffer.alloc(500));
  return Buffer.concat([box('ftyp', Buffer.from('M4A ')), samples, box('moov', box('mvhd', head))]);
};

export const aFlac = (seconds: number): Buffer => {
  const file = Buffer.alloc(42);
  file.write('fLaC', 0, 'latin1');
  file.writeUIntBE(16_000 << 4, 18, 3);
  file.writeUInt32BE(seconds * 16_000, 22);
  return file;
};

export const aWebm = (seconds: number): Buffer => {
  const duration = Buffer.alloc(4);
  duration.writeFloatBE(seconds * 1_000);
  return Buffer.concat([
    Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80]),
    Buffer.from([0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40]),
    Buffer.from([0x44, 0x89, 0x84]),
    duration,
  ]);
};
