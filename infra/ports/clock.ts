/** Read at the edge and passed on, so that tests have a fixed time. */
export type Clock = () => Date;
