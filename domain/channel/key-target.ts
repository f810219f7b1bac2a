import { jsonObject } from '../shared/json.ts';
import { baseUrlOf } from './catalogue.ts';
import type { ChannelSettings } from './events.ts';

const proxyOf = (setting: string): string => String(jsonObject(setting)?.proxy ?? '').trim();

/** Under other settings the key would go to another provider, address or proxy. */
export const sendsKeyElsewhere = (now: ChannelSettings, next: ChannelSettings): boolean =>
  now.type !== next.type ||
  baseUrlOf(now.type, now.baseUrl) !== baseUrlOf(next.type, next.baseUrl) ||
  proxyOf(now.setting) !== proxyOf(next.setting);
