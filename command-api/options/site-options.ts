import { optionIsOn, optionNumber, optionText } from '../../domain/option/read.ts';
import type { OptionKey } from '../../domain/option/table.ts';
import { type SiteState, siteDecider } from '../../domain/site/decider.ts';
import { siteStreamId } from '../../domain/site/stream.ts';
import type { CommandHandler } from '../commands/handle-command.ts';

/** What operators have set, with the defaults of the product. Secrets are not among them. */
export interface SiteOptions {
  state(options?: Readonly<{ fresh?: boolean }>): Promise<SiteState>;
  isOn(key: OptionKey): Promise<boolean>;
  number(key: OptionKey): Promise<number>;
  text(key: OptionKey): Promise<string>;
}

export const createSiteOptions = (commands: CommandHandler): SiteOptions => {
  const state: SiteOptions['state'] = async (options) =>
    (await commands.load(siteDecider, siteStreamId, options)).state;
  return {
    state,
    isOn: async (key) => optionIsOn((await state()).options, key),
    number: async (key) => optionNumber((await state()).options, key),
    text: async (key) => optionText((await state()).options, key),
  };
};
