import { expect, test } from 'vitest';
import { deviceName } from './device.ts';

const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/128.0.0.0 Safari/537.36`,
    'Chrome 128, Windows 10',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox 130, Linux'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari 17, iOS 17.5',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['\u202e<script>', ''],
  ['', ''],
  [undefined, ''],
])('%s is shown as "%s"', (userAgent, shown) => {
  expect(deviceName(userAgent)).toBe(shown);
});

test('a long user agent is cut off', () => {
  expect(deviceName('x'.repeat(10_000)).length).toBeLessThanOrEqual(60);
});
