import Bowser from 'bowser';

const maxLength = 60;

const joined = (...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(' ');

/** What a program calls itself: "curl/8.5.0". */
const firstProduct = (userAgent: string): string =>
  /^[\w.!#$%&'*+^`|~-]+(\/[\w.-]+)?/.exec(userAgent)?.[0] ?? '';

/** A user agent for people: "Chrome 128, Windows 10"; "" when the client sends none. */
export const deviceName = (userAgent: string | undefined): string => {
  if (!userAgent) return '';
  const { browser, os } = Bowser.parse(userAgent.slice(0, 512));
  const version = browser.version?.split('.')[0];
  const named = joined(browser.name, version);
  const system = joined(os.name, os.versionName ?? (os.name === 'Windows' ? '' : os.version));
  const text = named === '' ? firstProduct(userAgent) : [named, system].filter(Boolean).join(', ');
  return text.slice(0, maxLength);
};
