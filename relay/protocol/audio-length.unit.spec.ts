import { describe, expect, test } from 'vitest';
import { aFlac, anMp3, anMp4, anOpus, aWave, aWebm } from '../../tests/support/sounds.ts';
import { audioSeconds, audioTimeTokens } from './audio-length.ts';

describe('the length of an uploaded sound', () => {
  test.each([
    ['a wave file', aWave(61.2), 61.2],
    ['an MP3', anMp3(100), (100 * 1_152) / 44_100],
    [
      'an MP3 behind its tags',
      Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x05hello'), anMp3(10)]),
      (10 * 1_152) / 44_100,
    ],
    ['an Ogg with Opus', anOpus(7), 7],
    ['an MP4', anMp4(90), 90],
    ['a FLAC', aFlac(33), 33],
    ['a WebM', aWebm(12), 12],
  ])('is read from %s', (_name, file, seconds) => {
    expect(audioSeconds(file)).toBeCloseTo(seconds, 3);
  });

  test('follows from the size where the file has no length, and is never zero', () => {
    expect(audioSeconds(Buffer.alloc(40_000, 7))).toBe(10);
    expect(audioSeconds(Buffer.alloc(3))).toBe(1);
    for (const whole of [aWave(1), anMp3(3), anOpus(3), anMp4(3), aFlac(3), aWebm(3)]) {
      for (let bytes = 0; bytes < Math.min(whole.length, 120); bytes += 1) {
        expect(audioSeconds(whole.subarray(0, bytes))).toBeGreaterThan(0);
      }
    }
  });

  test('cannot be shortened by the size that a wave file states', () => {
    const file = aWave(30);
    file.writeUInt32LE(8, 40);
    expect(audioSeconds(file)).toBe(30);
  });

  test('counts 1,000 tokens for a minute, by begun seconds', () => {
    expect(audioTimeTokens(61.2)).toBe(1_033);
    expect(audioTimeTokens(60)).toBe(1_000);
    expect(audioTimeTokens(0.2)).toBe(17);
  });
});
