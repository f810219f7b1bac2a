import { z } from 'zod';
import { reasonText } from './fields.ts';
import { route } from './route.ts';

/**
 * Numbers and booleans are taken as their texts. `secret`: the secret that is sent to where this option
 * points, entered again. Without it a change of the option removes that secret.
 */
const optionBody = z.object({
  key: z.string().min(1).max(128),
  value: z.union([z.string(), z.number(), z.boolean()]).transform(String),
  secret: z.string().trim().max(10_000).nullish(),
  reason: reasonText,
});
export type OptionBody = z.infer<typeof optionBody>;

const setupBody = z.object({
  username: z.string().trim().max(64).default(''),
  password: z.string().max(1_024).default(''),
  confirmPassword: z.string().max(1_024).default(''),
  SelfUseModeEnabled: z.boolean().default(false),
  DemoSiteEnabled: z.boolean().default(false),
});

export const siteApi = {
  'POST /api/setup': route(
    'public',
    'Sets the site up. Without name and password where a super admin exists.',
    { body: setupBody, guards: ['rate-limited', 'json-only'] },
  ),
  'PUT /api/option/': route('admin', 'Changes one option.', {
    body: optionBody,
    /** The stored secret that was removed, as it was meant for another target. */
    data: z.object({ secret_needed: z.string() }).optional(),
    guards: ['large-body'],
  }),
  'POST /api/option/rest_model_ratio': route('admin', 'Resets the model ratios.', {}),
};
