import { createHash, createHmac } from 'node:crypto';

export const botToken = '123456:bot-token';

/** The fields as Telegram's widget hands them over, signed for the bot. */
export const telegramFields = (
  id: number,
  signedAt: Date,
  token = botToken,
): Readonly<Record<string, string>> => {
  const fields: Record<string, string> = {
    id: String(id),
    first_name: 'Ada',
    username: 'ada',
    auth_date: String(Math.floor(signedAt.getTime() / 1_000)),
  };
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('\n');
  const key = createHash('sha256').update(token).digest();
  return { ...fields, hash: createHmac('sha256', key).update(text).digest('hex') };
};
