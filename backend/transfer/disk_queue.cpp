// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/transfer/disk_queue.h"

namespace boxdeck::transfer {

void DiskQueue::enqueue(std::function<void()> work)
{
    {
        const QMutexLocker lock(&m_line->mutex);
        m_line->waiting.push_back(std::move(work));
        if (std::exchange(m_line->running, true))
            return;
    }
    m_pool.start([line = m_line] {
        while (true) {
            std::function<void()> next;
            {
                const QMutexLocker lock(&line->mutex);
                if (line->waiting.empty()) {
                    line->running = false;
                    return;
                }
                next = std::move(line->waiting.front());
                line->waiting.pop_front();
            }
            next();
        }
    });
}

} // namespace boxdeck::transfer
