/** An option as relays see it. Feed `options`, key = option key. Secret options never travel here. */
export type OptionFeedEntry = Readonly<{ key: string; value: string }>;
