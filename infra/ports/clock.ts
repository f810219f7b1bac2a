/** Read at the edge, handed in, so that tests stand still. */
export type Clock = () => Date;
