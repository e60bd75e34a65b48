// The block of cells that is selected: where it began, and where it was drawn to.

export class Range {
  constructor() {
    this.rows = 0;
    this.columns = 0;
    this.anchor = [0, 0];
    this.head = [0, 0];
  }

  bound(rows, columns) {
    this.rows = rows;
    this.columns = columns;
    this.anchor = this.inside(this.anchor);
    this.head = this.inside(this.head);
  }

  inside([row, column]) {
    return [Math.max(0, Math.min(row, this.rows - 1)), Math.max(0, Math.min(column, this.columns - 1))];
  }

  go(row, column, stays) {
    this.head = this.inside([row, column]);
    if (!stays) this.anchor = this.head;
  }

  get row() {
    return this.anchor[0];
  }

  get column() {
    return this.anchor[1];
  }

  get box() {
    const rows = [this.anchor[0], this.head[0]];
    const columns = [this.anchor[1], this.head[1]];
    return { top: Math.min(...rows), bottom: Math.max(...rows), left: Math.min(...columns), right: Math.max(...columns) };
  }

  holds(row, column) {
    const { top, bottom, left, right } = this.box;
    return row >= top && row <= bottom && column >= left && column <= right;
  }

  cells() {
    const { top, bottom, left, right } = this.box;
    const found = [];
    for (let row = top; row <= bottom; row += 1) for (let column = left; column <= right; column += 1) found.push([row, column]);
    return found;
  }
}
