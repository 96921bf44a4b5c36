// SPDX-License-Identifier: MIT
// Types for the part of cm-chessboard that the page uses; the package has none.

declare module "cm-chessboard/src/Chessboard.js" {
  export interface MoveInputEvent {
    type: "moveInputStarted" | "movingOverSquare" | "validateMoveInput" | "moveInputCanceled" | "moveInputFinished";
    squareFrom: string;
    squareTo: string;
  }
  export interface MarkerType {
    class: string;
    slice: string;
    position?: string;
  }
  export interface ArrowType {
    class: string;
  }
  export class Chessboard {
    constructor(context: HTMLElement, props: object);
    readonly view: { svg: SVGSVGElement };
    setPosition(fen: string, animated?: boolean): Promise<void>;
    setPiece(square: string, piece: string | null, animated?: boolean): Promise<void>;
    setOrientation(colour: "w" | "b", animated?: boolean): Promise<void>;
    getOrientation(): "w" | "b";
    getPosition(): string;
    getPiece(square: string): string | null;
    enableMoveInput(handler: (event: MoveInputEvent) => boolean | void, colour?: "w" | "b"): void;
    disableMoveInput(): void;
    isMoveInputEnabled(): boolean;
    cancelMoveInput(): void;
    getExtension<T>(extension: new (...args: never[]) => T): T | null;
    addMarker(type: MarkerType, square: string): void;
    removeMarkers(type?: MarkerType, square?: string): void;
    addArrow(type: ArrowType, from: string, to: string): void;
    removeArrows(type?: ArrowType): void;
    destroy(): void;
  }
}

declare module "cm-chessboard/src/lib/Svg.js" {
  export const Svg: {
    createSvg(container?: Element): SVGSVGElement;
    addElement(parent: Element, name: string, attributes?: Record<string, unknown>): SVGElement;
  };
}

declare module "cm-chessboard/src/extensions/accessibility/Accessibility.js" {
  export class Accessibility {
    readonly components: { getCurrentSquare?: () => string }[];
  }
}

declare module "cm-chessboard/src/extensions/markers/Markers.js" {
  export class Markers {}
}

declare module "cm-chessboard/src/extensions/arrows/Arrows.js" {
  export class Arrows {}
}
