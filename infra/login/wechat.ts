import { z } from 'zod';
import type { LoginFailure, WeChatServer } from '../ports/logins.ts';
import { askJson } from './ask-json.ts';
import type { BoundedFetch } from './bounded-fetch.ts';
import { isFailure } from './failure.ts';

const answer = z.object({ success: z.boolean(), data: z.string().nullish() });

/** The companion server stores which person got which code in the chat. */
export const createWeChat = (fetch: BoundedFetch) => ({
  async idOf({ address, token }: WeChatServer, code: string): Promise<string | LoginFailure> {
    const url = `${address}/api/wechat/user?${new URLSearchParams({ code })}`;
    const known = await askJson(fetch, url, { headers: { authorization: token } });
    if (isFailure(known)) return known;
    const parsed = answer.safeParse(known.body);
    return parsed.success && parsed.data.success ? (parsed.data.data ?? '') : '';
  },
});
