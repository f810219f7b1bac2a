/** The operator's options for image tasks (infra/reference/tasks.md, section 5). */
export type DrawingSettings = Readonly<{
  /** Callbacks of providers are asked for. */
  notify: boolean;
  accountFilter: boolean;
  /** Words such as `--fast` are taken out of prompts. */
  clearsMode: boolean;
  /** Pictures are shown under our own address. */
  forwardsImages: boolean;
  /** Steps that build on a drawing want it finished. */
  checksSuccess: boolean;
}>;

export const drawingSettingsOf = (texts: ReadonlyMap<string, string>): DrawingSettings => ({
  notify: texts.get('MjNotifyEnabled') === 'true',
  accountFilter: texts.get('MjAccountFilterEnabled') === 'true',
  clearsMode: texts.get('MjModeClearEnabled') === 'true',
  forwardsImages: texts.get('MjForwardUrlEnabled') !== 'false',
  checksSuccess: texts.get('MjActionCheckSuccessEnabled') !== 'false',
});
