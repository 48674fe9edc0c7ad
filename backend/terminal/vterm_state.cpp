// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/terminal/vterm_state.h"

#include <vterm.h>

#include <algorithm>
#include <cstdlib>

namespace boxdeck::terminal {

struct VtermState::Private
{
    VTerm *vterm = nullptr;
    VTermState *state = nullptr;
};

namespace {

int onPutGlyph(VTermGlyphInfo *info, VTermPos pos, void *user)
{
    static_cast<VtermClient *>(user)->vtermPut({pos.row, pos.col}, info->chars[0]);
    return 1;
}

int onMoveCursor(VTermPos pos, VTermPos oldPos, int, void *user)
{
    static_cast<VtermClient *>(user)->vtermMovedCursor({pos.row, pos.col}, pos.col != oldPos.col);
    return 1;
}

int onScrollRect(VTermRect rect, int downward, int rightward, void *user)
{
    static_cast<VtermClient *>(user)->vtermScrolled({rect.start_row, rect.start_col, rect.end_row, rect.end_col},
                                                    downward, rightward);
    return 1;
}

int onErase(VTermRect rect, int selective, void *user)
{
    static_cast<VtermClient *>(user)->vtermErased({rect.start_row, rect.start_col, rect.end_row, rect.end_col},
                                                  selective != 0);
    return 1;
}

void onOutput(const char *bytes, size_t size, void *user)
{
    static_cast<VtermClient *>(user)->vtermReplied({bytes, size});
}

// 0.3 hands the per-line records to the resize callback, and without one writes past their end when the terminal
// grows. They must come from the allocator that libvterm frees them with, so it gets ours.
void *allocate(size_t size, void *)
{
    return std::calloc(1, std::max<size_t>(size, 1));
}
void release(void *memory, void *)
{
    std::free(memory);
}

VTermAllocatorFunctions allocator = {allocate, release};

#if VTERM_VERSION_MINOR >= 3
int onResize(int rows, int, VTermStateFields *fields, void *)
{
    for (VTermLineInfo *&lines : fields->lineinfos) {
        if (!lines)
            continue;
        // Their number before is not told; none of them ever differs from zero here.
        release(lines, nullptr);
        lines = static_cast<VTermLineInfo *>(allocate(static_cast<size_t>(rows) * sizeof(VTermLineInfo), nullptr));
    }
    return 1;
}
#endif

constexpr VTermStateCallbacks makeCallbacks()
{
    VTermStateCallbacks callbacks{};
    callbacks.putglyph = onPutGlyph;
    callbacks.movecursor = onMoveCursor;
    callbacks.scrollrect = onScrollRect;
    callbacks.erase = onErase;
#if VTERM_VERSION_MINOR >= 3
    callbacks.resize = onResize;
#endif
    return callbacks;
}

const VTermStateCallbacks stateCallbacks = makeCallbacks();

} // namespace

VtermState::VtermState(int rows, int columns, VtermClient &client)
    : d(std::make_unique<Private>())
{
    d->vterm = vterm_new_with_allocator(rows, columns, &allocator, nullptr);
    vterm_set_utf8(d->vterm, 1);
    vterm_output_set_callback(d->vterm, onOutput, &client);
    d->state = vterm_obtain_state(d->vterm);
    vterm_state_set_callbacks(d->state, &stateCallbacks, &client);
    vterm_state_reset(d->state, 1);
}

VtermState::~VtermState()
{
    vterm_free(d->vterm);
}

void VtermState::write(std::string_view bytes)
{
    vterm_input_write(d->vterm, bytes.data(), bytes.size());
}

void VtermState::resize(int rows, int columns)
{
    vterm_set_size(d->vterm, rows, columns);
}

void VtermState::reset(bool hard)
{
    vterm_state_reset(d->state, hard ? 1 : 0);
}

GridPosition VtermState::cursor() const
{
    VTermPos pos{};
    vterm_state_get_cursorpos(d->state, &pos);
    return {pos.row, pos.col};
}

} // namespace boxdeck::terminal
