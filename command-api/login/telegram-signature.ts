import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** What the widget hands over; other fields of the query take no part. */
const signedFields = [
  'auth_date',
  'first_name',
  'id',
  'last_name',
  'photo_url',
  'username',
] as const;

export type TelegramFields = Readonly<
  Partial<Record<(typeof signedFields)[number] | 'hash', string | undefined>>
>;

const maxAgeSeconds = 24 * 60 * 60;
const toleratedSeconds = 5 * 60;

const isRecent = (authDate: string | undefined, now: Date): boolean => {
  if (authDate === undefined || !/^\d{1,12}$/.test(authDate)) return false;
  const age = now.getTime() / 1_000 - Number(authDate);
  return age <= maxAgeSeconds && age >= -toleratedSeconds;
};

/**
 * The Telegram id that the widget vouches for; null when Telegram did not sign these fields for this
 * bot, or more than a day ago (core.telegram.org/widgets/login).
 */
export const telegramId = (fields: TelegramFields, botToken: string, now: Date): string | null => {
  const { id, hash, auth_date } = fields;
  // Without a token anybody could compute the key.
  if (botToken === '' || !id || !/^[1-9]\d{0,19}$/.test(id)) return null;
  if (!hash || !/^[0-9a-f]{64}$/.test(hash) || !isRecent(auth_date, now)) return null;
  const signed = signedFields
    .filter((name) => fields[name])
    .map((name) => `${name}=${fields[name]}`)
    .join('\n');
  const key = createHash('sha256').update(botToken).digest();
  const expected = createHmac('sha256', key).update(signed).digest();
  return timingSafeEqual(expected, Buffer.from(hash, 'hex')) ? id : null;
};
