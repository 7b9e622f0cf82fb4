// Sizes of the parts of a diagram, in pixels.

export const headHeight = 46;
export const mapWidth = 16;
export const textScale = 15; // of a row, from which on there are texts
export const nodeScale = 5; // and nodes
export const maxScale = 44;
