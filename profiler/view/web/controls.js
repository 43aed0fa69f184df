// Mouse, touch pad and keys on the charts.

const WHEEL = 0.0016;  // zoom per pixel of the wheel
const PINCH = 0.01;
const KEY_ZOOM = 0.6;
const KEY_PAN = 0.15;  // share of the view
const DRAG = 4;        // pixels; a longer drag is no click

const offset = (event, canvas) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
};

class Controls {
    /** `app` has the actions of the keys and clicks (main.js). */
    constructor(elements, gantt, scale, app) {
        Object.assign(this, {elements, gantt, scale, app});
        this.#listenToGantt(elements.gantt);
        this.#listenToOverview(elements.overview);
        for (const canvas of [elements.breakdown, elements.overlap])
            canvas.addEventListener('pointermove', (event) => app.hoverChart(canvas, ...offset(event, canvas)));
        for (const canvas of [elements.gantt, elements.breakdown, elements.overlap])
            canvas.addEventListener('pointerleave', () => app.leave());
        document.addEventListener('keydown', (event) => this.#key(event));
    }

    #listenToGantt(canvas) {
        canvas.addEventListener('wheel', (event) => {
            event.preventDefault();
            const {scale, gantt} = this;
            const lines = event.deltaMode === 1 ? 16 : 1;
            if (event.altKey) {
                gantt.scroll += event.deltaY * lines;
                this.app.redraw();
            } else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
                scale.pan((event.deltaX || event.deltaY) * lines * scale.perPixel);
            } else {
                const speed = event.ctrlKey ? PINCH : WHEEL;
                scale.zoom(Math.exp(event.deltaY * lines * speed), scale.time(offset(event, canvas)[0]));
            }
        }, {passive: false});

        let drag = null;
        canvas.addEventListener('pointerdown', (event) => {
            if (event.button === 0)
                drag = {x: event.clientX, y: event.clientY, begin: this.scale.begin, end: this.scale.end, scroll: this.gantt.scroll, moved: false};
        });
        canvas.addEventListener('pointermove', (event) => {
            if (!drag) {
                this.app.hover(...offset(event, canvas));
                return;
            }
            const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
            if (!drag.moved && Math.hypot(x, y) < DRAG)
                return;
            if (!drag.moved) {
                drag.moved = true;
                canvas.setPointerCapture(event.pointerId);
                canvas.classList.add('dragging');
                this.app.leave();
            }
            const time = x * this.scale.perPixel;
            this.gantt.scroll = drag.scroll - y;
            this.scale.show(drag.begin - time, drag.end - time);
        });
        const stop = () => {
            canvas.classList.remove('dragging');
            drag = null;
        };
        canvas.addEventListener('pointerup', (event) => {
            if (drag && !drag.moved)
                this.app.selectAt(...offset(event, canvas));
            stop();
        });
        canvas.addEventListener('pointercancel', stop);
        canvas.addEventListener('dblclick', () => this.app.zoomToSelected());
    }

    /** The pressed or dragged position becomes the middle of the view. */
    #listenToOverview(canvas) {
        const go = (event) => {
            const {scale} = this;
            const time = (offset(event, canvas)[0] - scale.left) / scale.width * scale.length;
            scale.show(time - scale.span / 2, time + scale.span / 2);
        };
        canvas.addEventListener('pointerdown', (event) => {
            canvas.setPointerCapture(event.pointerId);
            go(event);
        });
        canvas.addEventListener('pointermove', (event) => {
            if (canvas.hasPointerCapture(event.pointerId))
                go(event);
        });
    }

    #key(event) {
        const {app, scale, gantt, elements} = this;
        const typing = event.target.closest?.('input[type=search], select');
        if (event.key === 'Escape') {
            app.clear();
            return;
        }
        if (typing && event.target === elements.search && event.key === 'Enter') {
            app.goToMatch(event.shiftKey ? -1 : 1);
            event.preventDefault();
            return;
        }
        if (typing || event.ctrlKey || event.metaKey || event.altKey)
            return;
        const onChart = document.activeElement === elements.gantt;
        const vertical = (lanes) => { gantt.scroll += lanes * gantt.lane; app.redraw(); };
        const actions = {
            '+': () => scale.zoom(KEY_ZOOM), '=': () => scale.zoom(KEY_ZOOM), w: () => scale.zoom(KEY_ZOOM),
            '-': () => scale.zoom(1 / KEY_ZOOM), s: () => scale.zoom(1 / KEY_ZOOM),
            a: () => scale.pan(-KEY_PAN * scale.span), d: () => scale.pan(KEY_PAN * scale.span),
            0: () => app.showWhole(), Home: onChart ? () => app.showWhole() : undefined,
            ',': () => app.selectOnThread(-1), '.': () => app.selectOnThread(1),
            p: () => app.selectNeighbour(false), n: () => app.selectNeighbour(true),
            f: () => app.zoomToSelected(), c: () => app.toggle('path'), m: () => app.toggle('messages'),
            '/': () => elements.search.focus(),
            ...(onChart && {
                ArrowLeft: () => scale.pan(-KEY_PAN * scale.span), ArrowRight: () => scale.pan(KEY_PAN * scale.span),
                ArrowUp: () => vertical(-1), ArrowDown: () => vertical(1), Enter: () => app.goToMatch(event.shiftKey ? -1 : 1),
            }),
        };
        const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
        if (action) {
            action();
            event.preventDefault();
        }
    }
}
