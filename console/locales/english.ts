/** English for every text of Chinese, which knows no plural; a count of one may have its own. */
export type English<Chinese> = Readonly<Record<keyof Chinese, string>> &
  Readonly<Partial<Record<`${keyof Chinese & string}_one`, string>>>;
