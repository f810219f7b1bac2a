import { z } from 'zod';
import type { HumanCheck } from '../ports/human-check.ts';
import { type BoundedFetch, createBoundedFetch } from './bounded-fetch.ts';

const verdict = z.object({ success: z.boolean() });

/** Cloudflare's verdict on a solved puzzle; `address` without a slash at the end. */
export const createTurnstile =
  (address: string, fetch: BoundedFetch = createBoundedFetch()): HumanCheck =>
  async ({ secret, response, ip }) => {
    const answer = await fetch(`${address}/turnstile/v0/siteverify`, {
      method: 'POST',
      body: new URLSearchParams({ secret, response, remoteip: ip }),
    });
    return verdict.parse(await answer.json()).success;
  };
